import { defineConnector, recordSource } from "countersign";
import { defineHands, implementEffect, through } from "countersign/act";
import { addTicket, askShop, type ShopClient, ticketsByName } from "./tickets.ts";

const open = async (url: string): Promise<ShopClient> => ({ url });
const close = async () => {};
const writer = defineConnector({ name: "shop-writer", side: "writes", secret: "SHOP_WRITE", open, close });
const observer = defineConnector({ name: "shop-observer", side: "observes", secret: "SHOP_OBSERVE", open, close });

/** The acting half of the canary house. */
export const hands = defineHands({
  records: [recordSource(observer, [ticketsByName])],
  hands: [
    implementEffect(addTicket, {
      apply: through(writer, async (client, { name, note }, { signal }) => {
        await askShop(client, name, { method: "PUT", body: JSON.stringify({ note }), signal });
        return { targetId: name };
      }),
      observe: through(observer, async (client, { name }) => {
        const [row] = await askShop(client, name);
        return row === undefined ? null : { note: row.note };
      }),
    }),
  ],
});
