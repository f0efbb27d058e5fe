-- Documents and their passages, searched with plain PostgreSQL text search for now. The filter is in the query, never after it.
create table countersign.document (
  tenant text not null references countersign.tenant (id),
  id text not null check (id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  title text not null,
  version text not null check (version ~ '^[0-9A-Za-z.-]{1,40}$'),
  owner text not null,
  status text not null check (status in ('current', 'draft', 'archived')),
  -- In force from the first instant on and before the second; no end where that is null. Of several versions of one document that
  -- are current and in force, the one that came into force last is the document; whoever may not see that one sees none.
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  -- Labels that may see it; an empty list is nobody.
  scopes text[] not null,
  primary key (tenant, id, version)
);

create table countersign.passage (
  tenant text not null,
  document_id text not null,
  version text not null,
  position integer not null check (position >= 0),
  section text not null,
  body text not null,
  terms tsvector not null generated always as
    (setweight(to_tsvector('english', section), 'A') || to_tsvector('english', body)) stored,
  primary key (tenant, document_id, version, position),
  foreign key (tenant, document_id, version) references countersign.document (tenant, id, version)
);

alter table countersign.document enable row level security;
alter table countersign.passage enable row level security;
create policy document_seen on countersign.document for select using (countersign.in_tenants(tenant));
create policy passage_seen on countersign.passage for select using (countersign.in_tenants(tenant));
grant select on countersign.document, countersign.passage to deciding;
