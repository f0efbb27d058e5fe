import type { House } from "./house.ts";

/** Has the target spoil what it must not change, of each ticket whose name says so. */
export async function spoilTickets(house: House): Promise<void> {
  await house.admin.query(`
    create function sandbox.spoil() returns trigger language plpgsql as $$
    begin if new.name like 'spoilt%' then new.note = 'spoilt'; end if; return new; end $$;
    create trigger spoil before update on sandbox.ticket for each row execute function sandbox.spoil();`);
}
