import { fileURLToPath } from "node:url";
import { installSystem, type SystemPasswords } from "../../it-support/sandbox/install-system.ts";

const definition = fileURLToPath(new URL("shop.sql", import.meta.url));

/** The URLs of the three logins, under the names of the secrets that hold them. */
export type ShopUrls = Readonly<Record<"SHOP_READ_URL" | "SHOP_WRITE_URL" | "SHOP_OBSERVE_URL", string>>;

/** Puts the shop's system of record into a database, in the schema `shop`. */
export async function installSandbox(place: { adminUrl: string; passwords: SystemPasswords }): Promise<ShopUrls> {
  const { read, write, observe } = await installSystem({ schema: "shop", definition }, place);
  return { SHOP_READ_URL: read, SHOP_WRITE_URL: write, SHOP_OBSERVE_URL: observe };
}
