import type { Migration } from './migration.ts'

export const cellar: Migration = {
  name: 'cellar',
  statements: [
    `create table cellar_files (
      name text primary key,
      format text not null,
      file text not null references files (name),
      columns text not null,
      rows bigint not null,
      bytes bigint not null,
      version text not null,
      created_at text not null,
      updated_at text not null
    )`,
    'create index cellar_files_file on cellar_files (file)',
    `create table cellar_writes (
      query_id text not null,
      stage text not null,
      primary key (query_id, stage)
    )`,
    `create table baselines (
      name text primary key,
      file text not null references files (name),
      columns text not null,
      rows bigint not null,
      version text not null,
      updated_at text not null
    )`,
    'create index baselines_file on baselines (file)',
    `create table next_baselines (
      query_id text not null,
      stage text not null,
      name text not null,
      file text not null references files (name),
      columns text not null,
      rows bigint not null,
      primary key (query_id, stage)
    )`,
    'create index next_baselines_file on next_baselines (file)',
    `create table manifests (
      name text primary key,
      store text not null,
      type text not null,
      screenshots text not null,
      attributes_context text,
      touched_at text,
      deliveries bigint not null default 0,
      rows bigint not null default 0,
      bytes bigint not null default 0,
      error_count bigint not null default 0,
      error_at text,
      error_message text
    )`,
    `create table templates (
      id text primary key,
      name text not null unique,
      description text not null,
      query text not null,
      template_schema text,
      created_at text not null,
      updated_at text not null
    )`,
    'alter table queries add column template_values text',
  ],
}
