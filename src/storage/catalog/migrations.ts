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
  {
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
  },
  {
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
  },
  {
    name: 'deliveries and schedules',
    statements: [
      `create table stores (
        name text primary key,
        type text not null,
        config text not null,
        version text not null,
        deliveries bigint not null default 0,
        rows bigint not null default 0,
        bytes bigint not null default 0,
        refused bigint not null default 0,
        success_at text,
        error_at text,
        error text,
        created_at text not null,
        updated_at text not null
      )`,
      `create table streams (
        name text primary key,
        config text not null,
        created_at text not null
      )`,
      `create table deliveries (
        id text primary key,
        store text not null,
        name text,
        status text not null,
        total bigint not null,
        done bigint not null default 0,
        refused bigint not null default 0,
        bytes bigint not null default 0,
        error text,
        dead_letters text,
        started_at text not null,
        updated_at text not null
      )`,
      'create index deliveries_updated on deliveries (updated_at)',
      `create table dead_letters (
        delivery text not null references deliveries (id) on delete cascade,
        number bigint not null,
        row text not null,
        code text not null,
        error text not null,
        at text not null,
        primary key (delivery, number)
      )`,
      `create table schedules (
        id text primary key,
        query text not null,
        minutes integer not null,
        cron text,
        time_zone text,
        overlap text not null,
        disable_after integer,
        enabled integer not null,
        anchor_at text not null,
        next_run text,
        runs bigint not null default 0,
        failures integer not null default 0,
        skipped bigint not null default 0,
        cleanup integer not null,
        summary integer not null,
        ttl integer not null,
        metadata text,
        created_at text not null,
        updated_at text not null
      )`,
      'create index schedules_next on schedules (next_run)',
      `create table schedule_runs (
        query_id text primary key,
        schedule_id text not null references schedules (id) on delete cascade,
        cause text not null,
        status text not null,
        due_at text not null,
        booked_at text not null,
        started_at text,
        finished_at text,
        error text
      )`,
      'create index schedule_runs_schedule on schedule_runs (schedule_id, booked_at)',
      'create index schedule_runs_status on schedule_runs (status)',
    ],
  },
]
