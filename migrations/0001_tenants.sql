-- Roles, tenants, and the setting that names the tenants of a transaction.
-- The owner runs migrations and nothing else. `deciding`, `desk`, `acting` and `ingesting` are logins; no role is a member of another.
-- A login of that name that is there already is adopted, with whatever it was given: one that could pass by row policies is refused.
do $$
declare
  role_name text;
  held text;
begin
  foreach role_name in array array['deciding', 'desk', 'acting', 'ingesting'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls', role_name);
    end if;
    select concat_ws(', ',
      case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
      case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
      case when rolreplication then 'replication' end,
      (select 'member of ' || string_agg(granted.rolname, ' and ' order by granted.rolname)
        from pg_auth_members joining join pg_roles granted on granted.oid = joining.roleid where joining.member = role.oid))
      into held from pg_roles role where rolname = role_name;
    if held <> '' then
      raise exception 'the role `%` is there already and has more than it may have (%); take that from it, or rename it', role_name, held;
    end if;
  end loop;
end
$$;

create schema countersign;
grant usage on schema countersign to deciding, desk, acting, ingesting;

-- Row policies ask this: is the row's tenant one of those that the transaction has named? Unset means none.
create function countersign.in_tenants(tenant text) returns boolean
  language sql stable parallel safe
  return tenant = any (string_to_array(current_setting('countersign.tenants', true), ','));

create function countersign.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of %.% are never changed or removed', tg_table_schema, tg_table_name using errcode = 'CS001';
end
$$;

create table countersign.tenant (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  name text not null,
  created_at timestamptz not null default clock_timestamp()
);
-- Which tenants exist is no tenant's data: each process lists them to know whose work to look for.
grant select on countersign.tenant to deciding, desk, acting, ingesting;
