-- Documents and their passages, searched with plain PostgreSQL text search for now. The filter is in the query, never after it.
create table countersign.document (
  tenant text not null references countersign.tenant (id),
  id text not null,
  title text not null,
  version text not null,
  owner text not null,
  status text not null check (status in ('current', 'draft', 'archived')),
  valid_from timestamptz not null,
  valid_to timestamptz,
  -- Labels that may see it; an empty list is nobody.
  scopes text[] not null,
  primary key (tenant, id, version)
);

create table countersign.passage (
  tenant text not null,
  document_id text not null,
  version text not null,
  position integer not null,
  section text not null,
  body text not null,
  terms tsvector not null generated always as
    (setweight(to_tsvector('english', section), 'A') || to_tsvector('english', body)) stored,
  primary key (tenant, document_id, version, position),
  foreign key (tenant, document_id, version) references countersign.document (tenant, id, version)
);
create index passage_terms on countersign.passage using gin (terms);

alter table countersign.document enable row level security;
alter table countersign.passage enable row level security;
create policy document_seen on countersign.document for select using (countersign.in_tenants(tenant));
create policy passage_seen on countersign.passage for select using (countersign.in_tenants(tenant));
grant select on countersign.document, countersign.passage to deciding;
