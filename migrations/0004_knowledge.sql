-- Documents, their passages, and the index that search reads. The deciding half only reads it; `ingesting` files.
-- The filter is in the query, never after it: what may see a document is part of the key of every posting.

-- How passages are scored. A posting holds what a word says of a passage by these settings, so a change is felt by what is filed later.
create table countersign.collection (
  tenant text not null references countersign.tenant (id),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  k1 float8 not null check (k1 between 0 and 3),
  b float8 not null check (b between 0 and 1),
  -- How many passages before and after belong to a passage's window, and what window and parent section weigh beside 1 for its own.
  window_reach integer not null check (window_reach between 0 and 3),
  window_weight float8 not null check (window_weight between 0 and 2),
  section_weight float8 not null check (section_weight between 0 and 2),
  -- Lengths in terms that neither help nor hurt. Declared and not counted: a mean over all would tell of what is hidden.
  passage_terms integer not null check (passage_terms > 0),
  section_terms integer not null check (section_terms > 0),
  -- Whether a passage is found by a word of a heading above it that it does not hold itself.
  headings_find boolean not null,
  primary key (tenant, name)
);

-- The documents of one collection and one status that the same labels may see, with what is counted of them. Nothing is counted over
-- more than one of these, so that who may see some of them learns nothing of the others. The labels of a row never change.
create table countersign.audience (
  tenant text not null,
  id integer not null generated always as identity,
  collection text not null,
  status text not null check (status in ('current', 'draft', 'archived', 'superseded')),
  -- In their order, each once; an empty list is nobody.
  labels text[] not null,
  passages bigint not null default 0 check (passages >= 0),
  primary key (tenant, id),
  unique (tenant, collection, status, labels),
  foreign key (tenant, collection) references countersign.collection (tenant, name)
);
-- One row for each label of an audience: found by equality, which an index may answer under row policies.
create table countersign.audience_label (
  tenant text not null,
  label text collate "C" not null,
  audience integer not null,
  primary key (tenant, label, audience),
  foreign key (tenant, audience) references countersign.audience (tenant, id) on delete cascade
);
-- In how many passages of an audience a term occurs.
create table countersign.audience_term (
  tenant text not null,
  term text collate "C" not null,
  audience integer not null,
  passages bigint not null check (passages > 0),
  primary key (tenant, term, audience)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create table countersign.document (
  tenant text not null references countersign.tenant (id),
  id text not null check (id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  version text not null check (version ~ '^[0-9A-Za-z.-]{1,40}$'),
  number integer not null generated always as identity,
  audience integer not null,
  title text not null,
  collection text not null,
  owner text not null,
  source text,
  status text not null check (status in ('current', 'draft', 'archived', 'superseded')),
  superseded_by text check (superseded_by is null or status = 'superseded'),
  is_authority boolean not null,
  -- In force from the first instant on and before the second; no end where that is null. Of several versions of one document that
  -- are current and in force, the one that came into force last is the document; whoever may not see that one sees none.
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  -- Labels that may see it; an empty list is nobody.
  scopes text[] not null,
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  indexed_at timestamptz not null default clock_timestamp(),
  -- Keys with texts, to be asked for by equality.
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  passages integer not null check (passages > 0),
  -- By these its postings are found again, however terms are made by then.
  terms text[] not null,
  primary key (tenant, id, version),
  unique (tenant, number),
  foreign key (tenant, audience) references countersign.audience (tenant, id),
  foreign key (tenant, collection) references countersign.collection (tenant, name)
);
create index document_of_source on countersign.document (tenant, source, id);
create index document_of_audience on countersign.document (tenant, audience, number);

create table countersign.passage (
  tenant text not null,
  number bigint not null generated always as identity,
  document integer not null,
  -- Counted from 1 within its document.
  position integer not null check (position > 0),
  section_path text[] not null,
  -- Which parent section of the document, counted from 0: neighbours of equal path are one.
  section_number integer not null check (section_number >= 0),
  page integer check (page > 0),
  from_character integer not null check (from_character >= 0),
  to_character integer not null check (to_character >= from_character),
  term_count integer not null check (term_count >= 0),
  content_hash text not null,
  context_line text not null default '',
  body text not null,
  primary key (tenant, document, position),
  unique (tenant, number),
  foreign key (tenant, document) references countersign.document (tenant, number) on delete cascade
);

-- What one term says of documents of one audience, in blocks: one packed record for each document, in the order of their numbers, as
-- `posting-bytes.ts` says. A block holds documents from `first_document` on, up to that of the next one; a document stands in the last
-- block that begins at or before it. A block that is longer than 900 bytes holds one document alone.
create table countersign.posting (
  tenant text not null,
  term text collate "C" not null,
  audience integer not null,
  first_document integer not null,
  records bytea not null check (octet_length(records) > 0),
  primary key (tenant, term, audience, first_document)
) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Of records the ones of these documents: whoever has a list of documents is sent nothing of others.
create function countersign.records_of(records bytea, documents integer[]) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  bytes bytea := records || ''::bytea; -- once out of line and once here, not anew for each byte
  place integer := 0;
  start integer;
  number bigint;
  size integer;
  shift integer;
  part integer;
  kept bytea := ''::bytea;
begin
  while place < octet_length(bytes) loop
    start := place;
    number := (get_byte(bytes, place)::bigint << 24) + (get_byte(bytes, place + 1) << 16) + (get_byte(bytes, place + 2) << 8) + get_byte(bytes, place + 3);
    place := place + 4;
    size := 0;
    shift := 0;
    loop
      part := get_byte(bytes, place);
      place := place + 1;
      size := size + ((part & 127) << shift);
      exit when part < 128;
      shift := shift + 7;
    end loop;
    place := place + size;
    if number = any (documents) then
      kept := kept || substring(bytes from start + 1 for place - start);
    end if;
  end loop;
  return kept;
end
$$;

-- The vector of a passage by one embedder: 32-bit floats, the least significant byte first. No access list beside it.
create table countersign.passage_vector (
  tenant text not null,
  passage bigint not null,
  embedder text not null,
  vector bytea not null check (octet_length(vector) % 4 = 0 and octet_length(vector) > 0),
  primary key (tenant, embedder, passage),
  foreign key (tenant, passage) references countersign.passage (tenant, number) on delete cascade
);
create index passage_vector_of_passage on countersign.passage_vector (tenant, passage);

do $$
declare
  name text;
begin
  foreach name in array array['collection', 'audience', 'audience_label', 'audience_term', 'document', 'passage', 'posting', 'passage_vector'] loop
    execute format('alter table countersign.%I enable row level security', name);
    -- The list of tenants in a subquery, so that it is made once for a statement and not for each of many rows.
    execute format('create policy %I on countersign.%I for select to deciding using (tenant = any ((select
      string_to_array(current_setting(''countersign.tenants'', true), '',''))::text[]))', name || '_seen', name);
    execute format('create policy %I on countersign.%I for all to ingesting using (tenant = any ((select
      string_to_array(current_setting(''countersign.tenants'', true), '',''))::text[]))', name || '_kept', name);
    execute format('grant select on countersign.%I to deciding', name);
    execute format('grant select, insert, update, delete on countersign.%I to ingesting', name);
  end loop;
end
$$;
