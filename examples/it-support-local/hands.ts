/** What only the acting process loads: the same hands. */
export { default } from "../it-support/hands.ts";
