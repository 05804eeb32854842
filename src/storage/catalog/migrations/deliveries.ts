import type { Migration } from './migration.ts'

export const deliveries: Migration = {
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
}
