import type { Json } from "../../contract/json.ts";
import type { StandInKey } from "../../contract/ports.ts";
import type { Cancel } from "../../contract/principal.ts";
import type { Finding, PrivacyRule, Recogniser } from "../../contract/privacy.ts";
import { type Decoded, decodeJson, decodeText } from "./decode.ts";
import type { Outgoing } from "./encode.ts";
import { encodePayload } from "./encode-payload.ts";
import type { PrivacyPolicy } from "./policy.ts";
import { openDrawn } from "./stand-ins/drawn.ts";
import { type DecodingStream, openDecodingStream } from "./stream.ts";

/** What a boundary is opened with. */
export interface BoundaryParts {
  readonly rules: readonly PrivacyRule[];
  /** Where the provider stands. */
  readonly region: string;
  /** A fresh one: two boundaries under one key would give one value one stand-in. */
  readonly key: StandInKey;
  /** Finds what has a form, and the values that are known to be somebody's. */
  readonly structured: (text: string) => readonly Finding[];
  /** `null` finds no names and addresses. */
  readonly recogniser: Recogniser | null;
  /** How stand-ins for dates of birth are drawn; `scattered` where it is left out. */
  readonly dates?: PrivacyPolicy["dates"];
}

/** The boundary of one conversation's payload. Its map stands in a closure: nothing of it can be printed, written or handed on. */
export interface Boundary {
  /**
   * Replaces personal data in all texts and keys of a value, at any depth, and freezes the result. Encode the whole history each time.
   * Throws `service_unavailable` where the recogniser could not look, `unserialisable` for what is no plain JSON: nothing may be sent then.
   */
  readonly encode: <T extends object>(payload: T, cancel: Cancel) => Promise<Outgoing<T>>;
  /** Puts the values back into prose; `altered` where a stand-in was changed or made up. */
  readonly decodeText: (text: string) => Decoded<string>;
  /** Puts the values back into the texts, keys and numbers of parsed JSON. */
  readonly decodeJson: (value: Json) => Decoded<Json>;
  /** Puts the values back into a text that comes in chunks; `isJson` where it is JSON itself, such as a tool's arguments. */
  readonly openStream: (form?: { readonly isJson?: boolean }) => DecodingStream;
}

/**
 * Opens the boundary of one conversation's payload. Pseudonymisation, reversible here and nowhere else: who has the text around a
 * stand-in may still guess whose it is.
 */
export function openBoundary({ key, dates = "scattered", ...parts }: BoundaryParts): Boundary {
  const drawn = openDrawn(key, dates === "in_order");
  return Object.freeze<Boundary>({
    encode: (payload, cancel) => encodePayload({ ...parts, drawn, payload, cancel }),
    decodeText: (text) => decodeText(drawn, text),
    decodeJson: (value) => decodeJson(drawn, value),
    openStream: ({ isJson = false } = {}) => openDecodingStream(drawn, isJson),
  });
}
