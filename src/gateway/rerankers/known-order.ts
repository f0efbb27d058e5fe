// A score cannot be told right from wrong by looking at it: a reranker whose inputs were swapped, or whose sign is turned, gives numbers as
// well. So each is asked about pairs whose order everybody knows before it may order anything.
import { CountersignError } from "../../contract/errors.ts";
import type { Reranker } from "../../contract/reranker.ts";

/** A question with a text that answers it and one that does not, though it shares words with it. */
export interface KnownOrder {
  readonly query: string;
  readonly better: string;
  readonly worse: string;
}

/** Throws `configuration_invalid` unless the reranker puts the better text of every pair first, and gives the same scores again. */
export async function checkKnownOrder(reranker: Reranker): Promise<void> {
  const wrong: string[] = [];
  for (const { query, better, worse } of knownOrder) {
    // The worse one first, so that an order that is merely kept fails.
    const [low, high] = await reranker.score(query, [worse, better]);
    const [again] = await reranker.score(query, [better]);
    const isSame = high !== undefined && again !== undefined && Math.abs(high - again) <= 1e-3 * Math.max(1, Math.abs(high));
    if (low === undefined || high === undefined || !(high > low) || !isSame) wrong.push(query);
  }
  if (wrong.length === 0) return;
  const { name } = reranker;
  throw new CountersignError(
    "configuration_invalid",
    `the reranker \`${name}\` misorders ${wrong.length} of ${knownOrder.length} known pairs; check the model, its vocabulary and the order of its inputs`,
    { facts: { wrong } },
  );
}

/** Plain questions of offices, and code. */
export const knownOrder: readonly KnownOrder[] = [
  {
    query: "How many days of vacation do employees get?",
    better: "Full-time employees are entitled to 28 days of paid vacation each year.",
    worse: "The canteen is open on all working days from eleven to two.",
  },
  {
    query: "When is a worn out laptop replaced?",
    better: "Laptops are replaced after four years, or earlier when they are worn out and repair costs too much.",
    worse: "The museum's oldest laptop was built in 1981 and weighs eleven kilograms.",
  },
  {
    query: "Who approves travel expenses above 500 euros?",
    better: "Travel expenses of more than 500 euros have to be approved by the head of department.",
    worse: "The travel agency is on the fifth floor next to the kitchen.",
  },
  {
    query: "How do I reset my password?",
    better: "To reset your password, open the sign-in page, choose Forgot password and follow the link in the e-mail.",
    worse: "Passports are renewed at the town hall; bring a photograph.",
  },
  {
    query: "What is the capital of France?",
    better: "Paris is the capital and largest city of France.",
    worse: "France exports wine, cheese and aircraft.",
  },
  {
    query: "How long are customer invoices kept?",
    better: "Invoices to customers are kept for ten years and are then destroyed.",
    worse: "Customers can reach us by telephone from nine to five.",
  },
  {
    query: "Is the warranty void after water damage?",
    better: "Damage by water is not covered: the warranty ends as soon as liquid has entered the device.",
    worse: "Drink at least two litres of water on hot days.",
  },
  {
    query: "Which port does PostgreSQL listen on by default?",
    better: "By default the PostgreSQL server listens on TCP port 5432.",
    worse: "The port of Hamburg is the largest in Germany.",
  },
  {
    query: "read a file line by line in Python",
    better: '```python\nwith open("data.txt") as file:\n    for line in file:\n        print(line.rstrip())\n```',
    worse: "```css\n.button {\n  color: white;\n  border-radius: 4px;\n}\n```",
  },
  {
    query: "SQL query to count the orders of each customer",
    better: "```sql\nselect customer_id, count(*) from orders group by customer_id;\n```",
    worse: "```html\n<ul>\n  <li>Home</li>\n  <li>Contact</li>\n</ul>\n```",
  },
  {
    query: "sort an array of numbers in JavaScript",
    better: "```js\nconst numbers = [3, 1, 2];\nnumbers.sort((a, b) => a - b);\n```",
    worse: "```dockerfile\nFROM debian:stable\nRUN apt-get update\n```",
  },
  {
    query: "undo the last git commit but keep the changes",
    better: "To undo the last commit and keep your changes, run:\n```sh\ngit reset --soft HEAD~1\n```",
    worse: "To make a folder and enter it, run:\n```sh\nmkdir photos && cd photos\n```",
  },
];
