/**
 * Finders of personal data of others beside ours. Which one, PEER says.
 *   {"find":{"texts":[TEXT]}}  ->  {"find":{"found":[[{"start","end","class"}]]}}   ranges in UTF-16 units, one list for each text
 *   {"time":{"texts":[TEXT],"seconds":N}}  ->  {"time":{"ms":[...]}}               of each text, until the time is over
 * Each is set up as its documentation says for masking text; what was tried stands beside it.
 */
import { serve } from "../serve.mjs";

const find = await { redactPii, openRedaction, compromise, wink }[process.env.PEER]();

await serve(
  {
    find: async ({ texts }) => {
      const found = [];
      for (const text of texts) found.push(await find(text));
      return { found };
    },
    time: async ({ texts, seconds }) => {
      await find(texts[0]);
      const ms = [];
      const end = performance.now() + seconds * 1_000;
      for (let at = 0; performance.now() < end && at < 4 * texts.length; at += 1) {
        const begun = performance.now();
        await find(texts[at % texts.length]);
        ms.push(performance.now() - begun);
      }
      return { ms };
    },
  },
  async () => {},
);

/** All of its rules, which are on by themselves. It gives back a text: the ranges are what stands between the parts that it kept. */
async function redactPii() {
  const { SyncRedactor } = (await import("redact-pii")).default;
  const mark = "\uE000";
  const redactor = new SyncRedactor({ globalReplaceWith: mark });
  return (text) => {
    // It trims a text.
    const lead = text.length - text.trimStart().length;
    const kept = redactor.redact(text).split(mark);
    const found = [];
    let at = lead + kept[0].length;
    for (const [place, part] of kept.slice(1).entries()) {
      const isLast = place === kept.length - 2;
      const next = isLast && part !== "" ? text.trimEnd().length - part.length : part === "" ? (isLast ? text.trimEnd().length : at) : text.indexOf(part, at);
      const end = next < at ? at : next;
      found.push({ start: at, end, class: null });
      at = end + part.length;
    }
    return found;
  };
}

/** Its default, which has all patterns and its checks of context. Tried: a lower threshold of confidence finds more and masks more clean text. */
async function openRedaction() {
  const { OpenRedaction } = await import("@openredaction/openredaction");
  const shield = new OpenRedaction();
  const classOf = (type) =>
    /NAME/.test(type) ? "person" : /ADDRESS|POSTCODE|ZIP/.test(type) && !/IP|MAC|EMAIL/.test(type) ? "address" : null;
  return async (text) => {
    const { detections } = await shield.detect(text);
    return detections.map(({ type, position: [start, end] }) => ({ start, end, class: classOf(type) }));
  };
}

/** People, places, organisations, e-mails, phones and links: all that its full package knows of persons. */
async function compromise() {
  const nlp = (await import("compromise")).default;
  return (text) => {
    const doc = nlp(text);
    const ranges = (view, name) => view.json({ offset: true }).map(({ offset: { start, length } }) => ({ start, end: start + length, class: name }));
    return [
      ...ranges(doc.people(), "person"),
      ...ranges(doc.places(), "address"),
      ...ranges(doc.organizations(), "organisation"),
      ...ranges(doc.emails(), null),
      ...ranges(doc.phoneNumbers(), null),
      ...ranges(doc.urls(), null),
    ];
  };
}

/** It knows no names by itself: its entities for e-mails and links, and runs of proper nouns by its tagger as names. Tried: entities alone find no person. */
async function wink() {
  const [{ default: winkNLP }, { default: model }] = [await import("wink-nlp"), await import("wink-eng-lite-web-model")];
  const nlp = winkNLP(model);
  const { its } = nlp;
  return (text) => {
    const tokens = nlp.readDoc(text).tokens();
    const [values, tags, kinds] = [tokens.out(), tokens.out(its.pos), tokens.out(its.type)];
    const found = [];
    let at = 0;
    for (const [place, value] of values.entries()) {
      const start = text.indexOf(value, at);
      at = start + value.length;
      if (tags[place] !== "PROPN" && kinds[place] !== "email" && kinds[place] !== "url") continue;
      const before = found.at(-1);
      if (before !== undefined && before.tag === "PROPN" && tags[place] === "PROPN" && start - before.end <= 1) before.end = at;
      else found.push({ start, end: at, class: tags[place] === "PROPN" ? "person" : null, tag: tags[place] });
    }
    return found;
  };
}
