-- Where documents come from, how far the index is behind, and what gives passages their vectors. Written by `ingesting`, which files documents and reads nothing of decisions.

-- A source of one tenant. `fresh_as_of`: whatever its folder held at that instant is filed; the promise is counted from there.
create table countersign.source (
  tenant text not null references countersign.tenant (id),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  -- The collections that its documents stand in, and the one that it declares.
  collections text[] not null,
  -- Labels that its documents may be open to at the widest: whoever has none of them has nothing of it, and is told nothing of its state.
  scopes text[] not null,
  promise_ms bigint not null check (promise_ms > 0),
  state text not null default 'new' check (state in ('new', 'running', 'complete', 'failed')),
  -- Why the last run is not complete, for its operator; no text of a file.
  detail text,
  last_started_at timestamptz,
  last_complete_at timestamptz,
  fresh_as_of timestamptz,
  -- The longest time of the last run with changes from when a change was seen to when it was filed.
  lag_ms bigint check (lag_ms >= 0),
  last_change_at timestamptz,
  last_filed_at timestamptz,
  files integer not null default 0,
  documents integer not null default 0,
  passages integer not null default 0,
  faults integer not null default 0,
  -- Of a run that goes on: how many files are seen to, of how many, and which one is being read, up to which page of how many.
  progress_done integer,
  progress_total integer,
  progress_path text,
  progress_page integer,
  progress_pages integer,
  primary key (tenant, name)
);

-- What became of each file of a source: the document that it is, or its fault.
create table countersign.source_file (
  tenant text not null,
  source text not null,
  path text not null,
  -- SHA-256 over its bytes, and over what is said of it, in hex.
  content_hash text,
  attributes_hash text,
  document_id text,
  version text,
  passages integer,
  pages integer,
  -- What was left out of it, counted by kind.
  dropped jsonb,
  fault text,
  detail text,
  filed_at timestamptz,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant, source, path),
  foreign key (tenant, source) references countersign.source (tenant, name) on delete cascade,
  check ((document_id is null) = (version is null)),
  check (document_id is not null or fault is not null)
);

-- Which embedder gives the passages of a tenant their vectors, and why it could not when it was last asked; no row where none does.
create table countersign.embedding (
  tenant text primary key references countersign.tenant (id),
  embedder text not null,
  -- For the operator; no text of a passage.
  fault text,
  told_at timestamptz not null default clock_timestamp()
);

alter table countersign.source enable row level security;
alter table countersign.source_file enable row level security;
alter table countersign.embedding enable row level security;
create policy source_seen on countersign.source for select to deciding, desk using (countersign.in_tenants(tenant));
create policy source_kept on countersign.source for all to ingesting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy source_file_kept on countersign.source_file for all to ingesting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy embedding_kept on countersign.embedding for all to ingesting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
grant select on countersign.source to deciding, desk;
grant select, insert, update, delete on countersign.source, countersign.source_file, countersign.embedding to ingesting;
