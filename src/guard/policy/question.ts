import type { Principal } from "../../contract/principal.ts";
import type { Action } from "./actions.ts";

/** What an attribute of a resource may be. */
export type AttributeValue = string | number | boolean | readonly string[];

/** What is asked about: attributes of the action's resource type; what is absent is left out. */
export interface Resource {
  /** Names it in policies, such as `Effect::"refund"`; one constant word where policies never name one. */
  readonly id: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** One question: may this principal do that with it? */
export interface Question {
  readonly principal: Principal;
  readonly action: Action;
  readonly resource: Resource;
  /** Whether the account's allow-lists name it and all that it is known to touch; asked of some actions alone. */
  readonly listed?: boolean;
}

/** A question in the form that the engine takes. Plain data: the same question is the same text. */
export interface EngineQuestion {
  readonly principal: EntityId;
  readonly action: EntityId;
  readonly resource: EntityId;
  readonly context: Readonly<Record<string, boolean>>;
  readonly entities: readonly Entity[];
}
interface EntityId {
  readonly type: string;
  readonly id: string;
}
interface Entity {
  readonly uid: EntityId;
  readonly attrs: Readonly<Record<string, AttributeValue>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly parents: readonly [];
}
