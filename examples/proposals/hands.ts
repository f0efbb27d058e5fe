/** What only the acting process loads: nothing, since no capability of this project changes anything. */
import { defineHands } from "countersign/act";

export default defineHands({ records: [], hands: [] });
