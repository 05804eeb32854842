import type { CellarManifest } from '../api/types.ts'

/** Every type there is: the compiler misses one that is not here. */
const known: Readonly<Record<CellarManifest['type'], true>> = {
  file: true,
  http: true,
  sftp: true,
  mqtt: true,
  sql: true,
  localFile: true,
  nats: true,
  pulsar: true,
  cassandra: true,
  kafka: true,
  redisPubSub: true,
  awsS3: true,
  awsSqs: true,
  awsSns: true,
  awsKinesis: true,
  awsDynamoDB: true,
  gcpCloudStorage: true,
  gcpPubSub: true,
  gcpBigQuery: true,
  azureBlob: true,
  azureQueue: true,
  elasticsearch: true,
  mongodb: true,
  splunk: true,
  snowflake: true,
  databricks: true,
  pinecone: true,
  graphistry: true,
}

export const manifestTypes = Object.keys(known)
