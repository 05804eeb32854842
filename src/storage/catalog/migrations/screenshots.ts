import type { Migration } from './migration.ts'

export const screenshots: Migration = {
  name: 'screenshots',
  statements: [
    `create table screenshots (
      hash text primary key,
      type text not null,
      width integer not null,
      height integer not null,
      bytes bigint not null,
      url text not null,
      created_at text not null,
      taken_at text not null
    )`,
    'create index screenshots_taken on screenshots (taken_at)',
    `create table query_screenshots (
      query_id text not null references queries (id) on delete cascade,
      stage integer not null,
      hash text not null,
      url text not null,
      at text not null,
      primary key (query_id, stage, hash, url)
    )`,
    'create index query_screenshots_hash on query_screenshots (hash)',
    `create table manifest_screenshots (
      manifest text not null,
      hash text not null,
      primary key (manifest, hash)
    )`,
    'create index manifest_screenshots_hash on manifest_screenshots (hash)',
  ],
}
