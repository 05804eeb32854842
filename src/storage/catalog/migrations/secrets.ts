import type { Migration } from './migration.ts'

export const secrets: Migration = {
  name: 'secrets',
  statements: [
    `create table vault (
      type text not null,
      name text not null,
      key_version integer not null,
      sealed text not null,
      primary key (type, name)
    )`,
    `create table credentials (
      name text primary key,
      type text not null,
      config text not null,
      version text not null,
      created_at text not null,
      updated_at text not null
    )`,
    `create table oauth_tokens (
      credential text primary key references credentials (name) on delete cascade,
      version text not null,
      obtained_at text not null,
      expires_at text
    )`,
    `create table secrets (
      type text not null,
      name text not null,
      provider_type text,
      metadata text,
      version text not null,
      created_at text not null,
      updated_at text not null,
      primary key (type, name)
    )`,
    `create table named_texts (
      kind text not null,
      name text not null,
      value text not null,
      created_at text not null,
      updated_at text not null,
      primary key (kind, name)
    )`,
    `create table sessions (
      hash text primary key,
      username text,
      created_at text not null,
      seen_at text not null
    )`,
    'create index sessions_seen on sessions (seen_at)',
    `create table licenses (
      id text primary key,
      text text not null,
      added_at text not null
    )`,
  ],
}
