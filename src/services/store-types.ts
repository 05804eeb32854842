/** What a store can be: the thirty of the interface. */
export const storeTypes = [
  'http',
  'sftp',
  'mqtt',
  'amqp',
  'hdfs',
  'sql',
  'localFile',
  'nats',
  'nsq',
  'pulsar',
  'cassandra',
  'kafka',
  'redisPubSub',
  'awsS3',
  'awsSqs',
  'awsSns',
  'awsKinesis',
  'awsDynamoDB',
  'gcpCloudStorage',
  'gcpPubSub',
  'gcpBigQuery',
  'azureBlob',
  'azureQueue',
  'elasticsearch',
  'mongodb',
  'splunk',
  'snowflake',
  'databricks',
  'pinecone',
  'graphistry',
] as const
type StoreType = (typeof storeTypes)[number]

type WithoutManifest = 'hdfs' | 'amqp' | 'nsq'
const withoutManifest: readonly string[] = ['hdfs', 'amqp', 'nsq'] satisfies WithoutManifest[]

/** What a manifest can stand for: the stores less three, and a file. */
export const manifestTypes = [
  'file',
  ...storeTypes.filter(type => !withoutManifest.includes(type)),
] as readonly ('file' | Exclude<StoreType, WithoutManifest>)[]
