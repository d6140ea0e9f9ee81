import { parseArgs } from "node:util";
import { startSimulator } from "./index.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    /** Milliseconds until a batch ends by itself; `never` leaves it to the control address. */
    "auto-end-ms": { type: "string", default: "300" },
  },
});
const autoEnd = values["auto-end-ms"];
const simulator = await startSimulator({
  port: Number(values.port),
  autoEndMs: autoEnd === "never" ? null : Number(autoEnd),
});
console.log(simulator.url);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
