import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { hasTenant } from "../store/owner.ts";
import { hashesOf, newApiKey } from "./api-keys.ts";
import { withOwner } from "./owner.ts";
import { checkedId, checkedName } from "./people-form.ts";
import { print } from "./print.ts";
import { changeSettings, isSame, type Settings } from "./settings.ts";

/**
 * Adds a person to the installation's settings and prints the new key, of which only hashes are kept. Throws `bad_request` for what
 * cannot be an id, a role or a name and for a person who is known, `not_found` where the tenant is not there.
 */
export async function personAdd(
  given: string,
  options: { tenant: string; role: string; name: string; directory: string; json?: true },
): Promise<void> {
  const directory = resolve(options.directory);
  const tenant = checkedId("the tenant's id", options.tenant);
  const roles = options.role.split(",").map((role) => checkedId("a role", role.trim()));
  const person = { tenant, id: checkedId("the person's id", given), name: checkedName(options.name), roles };
  if (!(await withOwner(directory, (adminUrl) => hasTenant({ adminUrl, tenant }))))
    throw new CountersignError("not_found", `there is no tenant \`${tenant}\`; add it with \`countersign tenant add\``);
  const key = newApiKey();
  await changeSettings(directory, (known) => withAccount(known, { ...person, hashes: hashesOf(key) }));
  print({
    json: options.json,
    value: { ...person, key },
    lines: [
      `added ${person.id} of ${tenant} (${roles.join(", ")}); the processes know this key from the next \`countersign start\` on`,
      `API key, shown once and kept nowhere: ${key}`,
    ],
  });
}

function withAccount(known: Settings, account: Settings["accounts"][number]): Settings {
  if ([...known.people, ...known.accounts].some((one) => isSame(one, account)))
    throw new CountersignError("bad_request", `\`${account.id}\` of \`${account.tenant}\` is known already; name another id`);
  return { ...known, accounts: [...known.accounts, account] };
}
