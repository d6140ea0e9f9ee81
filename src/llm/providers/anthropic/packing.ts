import { packedPrompt, packedSchema, promptOf } from "../../calls/pack.ts";
import { isRecord } from "../../prepare.ts";
import type { PreparedRequest } from "../../provider.ts";
import { claudeModel } from "./models.ts";

/** Tools and formats of their own are left alone: their answers are not just text. */
export const canPackAnthropic = ({ params }: PreparedRequest): boolean =>
  params["tools"] === undefined &&
  !(isRecord(params["output_config"]) && params["output_config"]["format"] !== undefined);

/**
 * Several prompts as one request with a structured answer. By `output_config`, since some models refuse forced tools and
 * prefilled answers. Each keeps its own limit in the sum.
 */
export function packedAnthropic(requests: readonly PreparedRequest[]): PreparedRequest {
  const [first] = requests;
  if (first === undefined) throw new RangeError("Nothing to pack");
  const { output_config: config } = first.params;
  const asked = requests.reduce((sum, { params }) => sum + Number(params["max_tokens"]), 0);
  const format = { type: "json_schema", schema: packedSchema(requests.length) };
  return {
    ...first,
    params: {
      ...first.params,
      max_tokens: Math.min(asked, claudeModel(first.model)?.maxOutputTokens ?? asked),
      messages: [{ role: "user", content: packedPrompt(requests.map(promptOf)) }],
      output_config: { ...(isRecord(config) ? config : {}), format },
    },
  };
}
