/** What the decider alone loads: a script in the place of a model, which answers at once. */
import { defineDeciding } from "../../../src/define/deciding.ts";
import { scriptedProvider } from "../../../src/testing/index.ts";

const lines = [{ purpose: "decide", when: /./, replies: ['{"note":"kept"}'] }] as const;

/** @public The decider loads it by its file's name. */
// biome-ignore lint/style/noDefaultExport: processes load a project by the default export of its entry files
export default defineDeciding({
  providers: [scriptedProvider({ name: "scripted", lines, boundary: "on" })],
  records: [],
  hiddenValues: null,
});
