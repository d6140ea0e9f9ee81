import { PanelApp } from "./app.ts";
import { Host } from "./host.ts";

const app = new PanelApp(new Host(acquireVsCodeApi()));
app.dataset["place"] = document.body.dataset["place"] ?? "";
document.body.append(app);
