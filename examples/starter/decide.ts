/** What only the deciding process loads: the model and the reading login. Nothing that is reached from here can change anything. */
import { defineDeciding, postgresRecords } from "countersign/decide";
import { type ScriptedReply, scriptedProvider } from "countersign/testing";
import { records } from "./records.ts";

/**
 * A script in the place of a model, so that this runs offline; wherever its replies show it says so. It picks the only loan of which the
 * request says a word of the title. For a real model put a provider beside it, such as
 * `openAi({ name: "openai", secret: "OPENAI_API_KEY", api: "responses", constrain: "schema" })` of "countersign/decide", name that provider
 * and a pinned model in `renew-loan.ts`, and keep the key with `npx countersign secret set OPENAI_API_KEY --side models`.
 */
const pick: ScriptedReply = ({ messages: [asked, shown] }) => {
  const loans: { id: string; title: string }[] = JSON.parse(shown?.text ?? "[]");
  const said = (asked?.text ?? "").toLowerCase();
  const meant = loans.filter(({ title }) => (title.toLowerCase().match(/[a-z]{4,}/g) ?? []).some((word) => said.includes(word)));
  const [loan] = meant.length === 1 ? meant : [];
  return JSON.stringify({
    loan: loan?.id ?? null,
    note: loan === undefined ? "No one loan is named." : `${loan.title} is named.`,
  });
};

export default defineDeciding({
  providers: [scriptedProvider({ name: "scripted", lines: [{ purpose: "decide", when: /./, replies: [pick] }] })],
  records: [postgresRecords({ name: "library", secret: "LIBRARY_READ_URL", queries: records })],
  hiddenValues: null,
});
