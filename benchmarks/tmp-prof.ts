import { openStand } from "./overhead/stand.ts";
import { runLoad } from "./overhead/load.ts";
const stand = await openStand();
await runLoad(stand, { concurrency: 64, tenants: 1, seconds: 3 });
console.log(await runLoad(stand, { concurrency: 64, tenants: 1, seconds: 6 }));
await stand.close();
