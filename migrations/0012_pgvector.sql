-- Vectors as the extension pgvector compares them, where the server has it: beside the bytes, which stay what is kept.

-- The values of a vector as it is kept: 32-bit floats, the least significant byte first.
create function countersign.floats_of(bytes bytea) returns real[]
language sql immutable strict parallel safe as $$
  select array_agg(sign * case when power = 0 then fraction * 2::float8 ^ -149 else (fraction + 8388608) * 2::float8 ^ (power - 150) end
    order by place)::real[]
  from generate_series(0, octet_length(bytes) / 4 - 1) as place
  cross join lateral (
    select case when get_byte(bytes, 4 * place + 3) < 128 then 1 else -1 end as sign,
      ((get_byte(bytes, 4 * place + 3) & 127) << 1) | (get_byte(bytes, 4 * place + 2) >> 7) as power,
      ((get_byte(bytes, 4 * place + 2) & 127) << 16) | (get_byte(bytes, 4 * place + 1) << 8) | get_byte(bytes, 4 * place) as fraction
  ) as bits
$$;

-- Has the database compare vectors: makes the extension, a table that follows `passage_vector`, and fills it. Called here where the server has
-- the extension, and by the owner where it comes later; calling it again changes nothing.
create function countersign.keep_pgvector() returns void
language plpgsql set search_path = countersign, pg_temp as $$
declare
  kind text;
begin
  create extension if not exists vector with schema countersign;
  select format('%I.vector', nspname) into kind from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector';
  if to_regclass('countersign.passage_nearness') is not null then
    return;
  end if;
  execute format('create table countersign.passage_nearness (
    tenant text not null,
    embedder text not null,
    passage bigint not null,
    value %s not null,
    primary key (tenant, embedder, passage),
    foreign key (tenant, embedder, passage) references countersign.passage_vector (tenant, embedder, passage) on delete cascade)', kind);
  execute format('create function countersign.follow_vector() returns trigger language plpgsql as $trigger$
    begin
      insert into countersign.passage_nearness (tenant, embedder, passage, value)
      values (new.tenant, new.embedder, new.passage, countersign.floats_of(new.vector)::%s)
      on conflict (tenant, embedder, passage) do update set value = excluded.value;
      return null;
    end
    $trigger$', kind);
  create trigger passage_nearness after insert or update on countersign.passage_vector
    for each row execute function countersign.follow_vector();
  alter table countersign.passage_nearness enable row level security;
  create policy passage_nearness_seen on countersign.passage_nearness for select to deciding using (tenant = any ((select
    string_to_array(current_setting('countersign.tenants', true), ','))::text[]));
  create policy passage_nearness_kept on countersign.passage_nearness for all to ingesting using (tenant = any ((select
    string_to_array(current_setting('countersign.tenants', true), ','))::text[]));
  grant select on countersign.passage_nearness to deciding;
  grant select, insert, update, delete on countersign.passage_nearness to ingesting;
  execute format('insert into countersign.passage_nearness (tenant, embedder, passage, value)
    select tenant, embedder, passage, countersign.floats_of(vector)::%s from countersign.passage_vector', kind);
end
$$;
revoke execute on function countersign.keep_pgvector() from public;

do $$
begin
  if exists (select from pg_available_extensions where name = 'vector') then
    perform countersign.keep_pgvector();
  end if;
exception when insufficient_privilege then
  -- The deciding process compares them, as it does where there is no extension; whoever may make it calls the function.
  raise notice 'pgvector is there and its extension cannot be made by this login: %', sqlerrm;
end
$$;
