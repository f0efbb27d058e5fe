/**
 * Searches of others beside ours: SQLite FTS5 (of this Node), MiniSearch, LanceDB. Which one, PEER says.
 *   {"fill":{"corpus":FILE,"vectors":FILE,"dimensions":N,"folder":DIR}}  ->  {"fill":{"seconds","bytes"}}
 *   {"search":{"leg":"words"|"vectors","label":LABEL,"queries":[TEXT],"vectors":[[N]]}}  ->  {"search":{"ms":[...],"found":[[KEY]]}}
 * The corpus is a line of JSON for each passage: {key, text, labels}. Permission is asked in the query, by the way each offers for it.
 */
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../serve.mjs";

const limit = 10;
const peer = await { fts5, minisearch, lancedb, lancedbIndexed: () => lancedb({ isIndexed: true }) }[process.env.PEER]();

await serve(
  {
    fill: async ({ corpus, vectors, dimensions, folder }) => {
      const rows = (await readFile(corpus, "utf8")).trimEnd().split("\n").map((line) => JSON.parse(line));
      const bytes = vectors === null ? null : await readFile(vectors);
      const floats = bytes === null ? null : new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
      const vectorOf = floats === null ? () => null : (at) => floats.subarray(at * dimensions, (at + 1) * dimensions);
      const begun = performance.now();
      await peer.fill({ rows, vectorOf, folder });
      return { seconds: (performance.now() - begun) / 1000, bytes: await sizeOf(folder) };
    },
    search: async ({ leg, label, queries, vectors }) => {
      for (let at = 0; at < Math.min(5, queries.length); at += 1) await peer[leg](label, leg === "words" ? queries[at] : vectors[at]);
      const ms = [];
      const found = [];
      for (let at = 0; at < queries.length; at += 1) {
        const begun = performance.now();
        found.push(await peer[leg](label, leg === "words" ? queries[at] : vectors[at]));
        ms.push(performance.now() - begun);
      }
      return { ms, found };
    },
  },
  async () => {},
);

/** Tried: a join with a table of labels, and a condition on a column of the joined row; the second is quicker. */
async function fts5() {
  const { DatabaseSync } = await import("node:sqlite");
  let database;
  const statements = new Map();
  return {
    fill: async ({ rows, folder }) => {
      database = new DatabaseSync(join(folder, "fts5.db"));
      database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -200000");
      database.exec("create virtual table words using fts5(text, content='', tokenize='porter unicode61')");
      database.exec("create table passage (id integer primary key, key text not null, labels text not null)");
      const word = database.prepare("insert into words (rowid, text) values (?, ?)");
      const passage = database.prepare("insert into passage (id, key, labels) values (?, ?, ?)");
      database.exec("begin");
      for (const [at, { key, text, labels }] of rows.entries()) {
        word.run(at + 1, text);
        passage.run(at + 1, key, `,${labels.join(",")},`);
      }
      database.exec("commit; insert into words (words) values ('optimize')");
    },
    words: async (label, query) => {
      const sql = `select passage.key as key from words join passage on passage.id = words.rowid
        where words match ? and instr(passage.labels, ?) > 0 order by bm25(words) limit ${limit}`;
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement.all(query.split(" ").map((word) => `"${word}"`).join(" OR "), `,${label},`).map(({ key }) => key);
    },
  };
}

async function minisearch() {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch({ fields: ["text"], idField: "key", storeFields: ["labels"] });
  return {
    fill: async ({ rows }) => index.addAll(rows),
    words: async (label, query) =>
      index.search(query, { filter: ({ labels }) => labels.includes(label) }).slice(0, limit).map(({ id }) => id),
  };
}

/** Exact over what the condition leaves, or by an index of its own kind (IVF-PQ, as it comes). The condition is asked first (prefilter). */
async function lancedb({ isIndexed = false } = {}) {
  const lance = await import("@lancedb/lancedb");
  let table;
  const condition = (label) => `array_has(labels, '${label}')`;
  return {
    fill: async ({ rows, vectorOf, folder }) => {
      const connection = await lance.connect(join(folder, "lance"));
      const filled = rows.map(({ key, text, labels }, at) => ({ key, text, labels, vector: Array.from(vectorOf(at)) }));
      table = await connection.createTable("passages", filled.slice(0, 5000));
      for (let at = 5000; at < filled.length; at += 5000) await table.add(filled.slice(at, at + 5000));
      await table.createIndex("text", { config: lance.Index.fts() });
      await table.createIndex("labels", { config: lance.Index.labelList() });
      if (isIndexed) await table.createIndex("vector", { config: lance.Index.ivfPq({ distanceType: "cosine" }) });
      await table.optimize();
    },
    words: async (label, query) =>
      (await table.query().fullTextSearch(query, { columns: ["text"] }).where(condition(label)).select(["key"]).limit(limit).toArray()).map(({ key }) => key),
    vectors: async (label, vector) =>
      (await table.query().nearestTo(vector).distanceType("cosine").where(condition(label)).select(["key", "_distance"]).limit(limit).toArray()).map(({ key }) => key),
  };
}

async function sizeOf(folder) {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const about = await stat(join(folder, name));
    if (about.isFile()) bytes += about.size;
  }
  return bytes;
}
