/** What every process of the project loads: what may be decided, and where its documents are. Pure; nothing of it changes anything. */
import { defineProject, folderSource } from "countersign";
import { answerRfp, rfpNamed } from "./capabilities/answer-rfp.ts";
import { tenant } from "./people.ts";

export default defineProject({
  name: "proposals",
  capabilities: [answerRfp],
  intake: [{ name: "names-a-request", capability: "answer_rfp", matches: (text) => rfpNamed(text) !== null }],
  sources: [
    folderSource({
      ...{ name: "released-paragraphs", folder: "documents", owner: "proposals-desk", tenants: [tenant] },
      // Each document says which of the two it is under.
      scopes: ["tenant:all", "role:legal"],
      isAuthority: true,
      freshWithinMs: 15 * 60_000,
    }),
  ],
});
