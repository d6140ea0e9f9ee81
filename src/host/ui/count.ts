import { env } from "vscode";
import { numbersIn } from "../numbers.ts";

/** A number as the reader's language writes it. */
export const count = (value: number): string => numbersIn(env.language).count(value);
