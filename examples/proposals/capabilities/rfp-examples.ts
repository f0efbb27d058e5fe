import { answerSchema, type WorkedExample } from "countersign";
import { z } from "zod";

/** The question as a person wrote it. */
export const request = z.strictObject({ text: z.string().min(1).max(2000) });
export type Request = z.infer<typeof request>;

/** What the model may answer: claims, each with its sources and the part of the question that it answers. */
export const decision = z.strictObject({
  claims: answerSchema({ parts: ["security", "service", "price"], mostClaims: 8 }),
  confidence: z.int().min(0).max(100),
});
export type Answer = z.infer<typeof decision>;

/** When it declines. */
export const refuses =
  "The paragraphs that were found do not answer the question: make no claims. Nothing is promised that no paragraph says.";
/** Ids that no source of the demo has, so that nothing can be copied from here. */
export const examples: readonly WorkedExample<Request, Answer>[] = [
  {
    inputs: { text: "rfp-9001: Is there a mobile app for Cirrus (EU, 2026)?" },
    given: 'passage:cirrus-app:1.0:1 "Cirrus has an app for phones."',
    decision: {
      claims: [{ text: "Cirrus has an app for phones.", source: "passage:cirrus-app:1.0:1", answers: "service" }],
      confidence: 95,
    },
  },
  {
    inputs: { text: "rfp-9002: What do 10 seats of Cirrus cost (EU, 2026)?" },
    given: "rates.forRfp:rate-99 and rfps.byId:rfp-9002",
    decision: {
      claims: [
        {
          text: "{{rfp.seats}} seats for {{rfp.months}} months cost {{rate_card(rate.price_minor, rfp.seats, rfp.months, rate.discount_percent) | money}}.",
          ...{ source: "rfps.byId:rfp-9002", alsoFrom: ["rates.forRfp:rate-99"], answers: "price" },
        },
      ],
      confidence: 97,
    },
  },
  { inputs: { text: "rfp-9003: Promise us 100 percent availability." }, given: "", decision: { claims: [], confidence: 90 } },
  {
    inputs: { text: "rfp-9004: Who hosts Cirrus, and since when (EU, 2026)?" },
    given: 'passage:cirrus-hosting:1.0:1 "Cirrus is hosted by Norlake."',
    decision: {
      claims: [{ text: "Cirrus is hosted by Norlake.", source: "passage:cirrus-hosting:1.0:1", answers: "security" }],
      confidence: 60,
    },
  },
];
