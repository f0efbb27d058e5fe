import helpdeskDeciding from "../../examples/it-support/decide.ts";
import helpdeskHands from "../../examples/it-support/hands.ts";
import helpdesk from "../../examples/it-support/project.ts";
import { installSandbox as installHelpdesk } from "../../examples/it-support/sandbox/install.ts";
import { seedDemo as seedHelpdesk } from "../../examples/it-support/sandbox/seed.ts";
import salesDeciding from "../../examples/proposals/decide.ts";
import salesHands from "../../examples/proposals/hands.ts";
import sales from "../../examples/proposals/project.ts";
import { installSandbox as installSales } from "../../examples/proposals/sandbox/install.ts";
import { seedDemo as seedSales } from "../../examples/proposals/sandbox/seed.ts";
import shopDeciding from "../../examples/refunds/decide.ts";
import shopHands from "../../examples/refunds/hands.ts";
import shop from "../../examples/refunds/project.ts";
import { installSandbox as installShop } from "../../examples/refunds/sandbox/install.ts";
import { seedDemo as seedShop } from "../../examples/refunds/sandbox/seed.ts";
import libraryDeciding from "../../examples/starter/decide.ts";
import libraryHands from "../../examples/starter/hands.ts";
import library from "../../examples/starter/project.ts";
import librarySandbox from "../../examples/starter/sandbox.ts";
import type { Example, Person } from "../examples/house.ts";

/** How an example is set up, who asks in it, and for what. */
interface Asked extends Example {
  readonly by: Person;
  /** Words of the example's own prompts, which are sent as they are. */
  readonly marker: string;
  /** By capability, the requests in which `*` stands for the personal data; each ends in another way. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

const tenant = "acme";
// Logins of the sandboxes belong to the whole server, so that all files that run side by side know the same.
const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };

/** What each example is asked. */
export const requests: Readonly<Record<string, Asked>> = {
  "it-support": {
    ...{ project: helpdesk, deciding: helpdeskDeciding, hands: helpdeskHands },
    by: { tenant, id: "emp-104", roles: ["employee"] },
    marker: "You answer questions",
    install: async ({ adminUrl }) => {
      const { HELPDESK_READ_URL, ...acting } = await installHelpdesk({ adminUrl, passwords });
      await seedHelpdesk({ adminUrl, tenant });
      return { deciding: { HELPDESK_READ_URL }, acting };
    },
    texts: {
      // Most of each says what a passage says, so that it is found whatever else is in it.
      answer_question: [
        "How do I report a phishing mail with the button in the mail program, not forward it and not open its links, hear back within 1 working day? *",
        "*\nHow old must a worn out laptop be, 36 months, a phone, a monitor, approved by the IT lead before anything is ordered?",
      ],
      replace_device: [
        "My mouse is broken, please replace it. *",
        "The cable of my mouse is torn. *",
        "*\nOne of my screens flickers.",
      ],
      slow_laptop: ["*\nWhy is my laptop so slow?", "*\nWhy can I not save a file"],
      intake: ["How old must a laptop be before it is replaced? *", "Something else entirely. *"],
    },
  },
  refunds: {
    ...{ project: shop, deciding: shopDeciding, hands: shopHands },
    by: { tenant, id: "agt-101", roles: ["support"] },
    marker: "You prepare refunds",
    install: async ({ adminUrl }) => {
      const { SHOP_READ_URL, ...acting } = await installShop({ adminUrl, passwords });
      await seedShop({ adminUrl, tenant });
      return { deciding: { SHOP_READ_URL }, acting };
    },
    texts: {
      refund_order: [
        "Please refund ord-1002, the desk lamp arrived damaged. *",
        "*\nRefund ord-1008, it is damaged.",
        "Refund ord-1011, it is damaged. *",
      ],
    },
  },
  proposals: {
    ...{ project: sales, deciding: salesDeciding, hands: salesHands },
    by: { tenant, id: "bid-101", roles: ["proposals"] },
    marker: "You plan what is looked up",
    install: async ({ adminUrl }) => {
      const deciding = await installSales({ adminUrl, password: passwords.read });
      await seedSales({ adminUrl, tenant });
      return { deciding, acting: {} };
    },
    texts: {
      answer_rfp: ["rfp-2031: how often are backups of Atlas made, EU, 2026? *", "*\nrfp-2031: exaggerate the availability."],
    },
  },
  starter: {
    ...{ project: library, deciding: libraryDeciding, hands: libraryHands },
    by: { tenant, id: "emp-101", roles: ["employee"] },
    marker: "You find out which of their loans",
    install: async ({ adminUrl }) => librarySandbox.install({ adminUrl }),
    texts: { renew_loan: ["Please renew the book about bees. *", "*\nMay I keep it longer?"] },
  },
};
