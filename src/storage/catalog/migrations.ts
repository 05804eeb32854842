/**
 * Every table of the catalog, made in numbered steps. A step that has been released is never edited: a change is a new
 * step. Plain SQL that SQLite and PostgreSQL both take.
 */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

/** The number of a migration is its place in this list, from 1. */
export const migrations: readonly Migration[] = [
  {
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
  },
  {
    name: 'queries',
    statements: [
      `create table files (
        name text primary key,
        bytes bigint not null,
        created_at text not null
      )`,
      `create table queries (
        id text primary key,
        query text not null,
        mode text not null,
        status text not null,
        created_at text not null,
        started_at text,
        finished_at text,
        rows bigint,
        failed_rows bigint not null default 0,
        from_cache integer not null default 0,
        error text,
        warnings text not null default '[]',
        metadata text,
        ttl integer not null,
        expires_at text,
        minutes integer not null default 0,
        cleanup integer not null default 0,
        summary_wanted integer not null default 0,
        summary_status text not null default 'none',
        summary text,
        scheduled_id text,
        template_id text,
        plan text,
        crashes integer not null default 0,
        revision integer not null default 1
      )`,
      'create index queries_created on queries (created_at)',
      'create index queries_status on queries (status)',
      'create index queries_expiry on queries (expires_at)',
      `create table stages (
        query_id text not null references queries (id) on delete cascade,
        idx integer not null,
        label text,
        kind text not null,
        command text not null,
        status text not null,
        rows bigint,
        failed_rows bigint not null default 0,
        jobs text,
        columns text,
        file text references files (name),
        journal text references files (name),
        started_at text,
        finished_at text,
        from_cache integer not null default 0,
        warnings text not null default '[]',
        primary key (query_id, idx)
      )`,
      'create index stages_file on stages (file)',
      'create index stages_journal on stages (journal)',
      `create table cache (
        key text primary key,
        file text not null references files (name),
        columns text not null,
        rows bigint not null,
        created_at text not null,
        expires_at text not null
      )`,
      'create index cache_file on cache (file)',
      'create index cache_expiry on cache (expires_at)',
    ],
  },
  {
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
  },
]
