import type { Migration } from './migration.ts'

export const foundation: Migration = {
  name: 'foundation',
  statements: [
    'create table meta (name text primary key, value text not null)',
    `create table api_keys (
      id text primary key,
      name text not null,
      prefix text not null,
      hash text not null unique,
      created_at text not null,
      last_used_at text
    )`,
    'create table sign_in_links (hash text primary key, expires_at text not null)',
    `create table users (
      username text primary key,
      password_hash text not null,
      created_at text not null,
      updated_at text not null
    )`,
    `create table idempotency (
      scope text not null,
      key text not null,
      request text not null,
      status integer,
      headers text,
      body text,
      created_at text not null,
      expires_at text not null,
      primary key (scope, key)
    )`,
    'create index idempotency_expiry on idempotency (expires_at)',
    `create table policies (
      id text primary key,
      name text not null,
      domain text not null unique,
      policy text not null,
      created_at text not null,
      updated_at text not null
    )`,
  ],
}
