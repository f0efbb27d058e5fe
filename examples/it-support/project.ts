/** What every process of the project loads: what may be decided, what may change, and what takes days. Pure. */
import { defineProject, folderSource } from "countersign";
import { answerQuestion } from "./capabilities/answer-question.ts";
import { replaceDevice } from "./capabilities/replace-device.ts";
import { slowLaptop } from "./capabilities/slow-laptop.ts";
import { ticketNamed, ticketState } from "./capabilities/ticket-state.ts";
import { hardwareReplacement } from "./cases/hardware-replacement.ts";
import { model } from "./model.ts";
import { tenant } from "./people.ts";

const asksForState = /\b(status|state|progress|how far|ready|done|finished|news|update)\b/i;
const asksForChange = /\b(replace|new one|another|order|cancel|close|reopen)\b/i;

export default defineProject({
  name: "it-support",
  capabilities: [answerQuestion, replaceDevice, ticketState, slowLaptop],
  cases: [hardwareReplacement],
  intake: [
    {
      name: "ticket-number-and-state",
      capability: "ticket_state",
      matches: (text) => ticketNamed(text) !== null && asksForState.test(text) && !asksForChange.test(text),
    },
  ],
  intakeModel: model,
  sources: [
    folderSource({
      name: "it-documents",
      folder: "documents",
      owner: "it-service",
      tenants: [tenant],
      scopes: ["tenant:all"],
      isAuthority: true,
      freshWithinMs: 15 * 60_000,
    }),
  ],
});
