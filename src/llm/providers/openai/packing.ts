import { packedPrompt, packedSchema, promptOf } from "../../calls/pack.ts";
import type { PreparedRequest } from "../../provider.ts";

/** Only where an answer is text and can be given a structure. */
export const canPackOpenai = ({ endpoint, params }: PreparedRequest): boolean =>
  endpoint === "/v1/responses" &&
  params["tools"] === undefined &&
  params["text"] === undefined &&
  params["conversation"] === undefined;

/** Several prompts as one request with a structured answer. */
export function packedOpenai(requests: readonly PreparedRequest[]): PreparedRequest {
  const [first] = requests;
  if (first === undefined) throw new RangeError("Nothing to pack");
  const limit = requests.reduce((sum, { params }) => sum + Number(params["max_output_tokens"]), 0);
  const format = {
    type: "json_schema",
    name: "answers",
    strict: true,
    schema: packedSchema(requests.length),
  };
  return {
    ...first,
    params: {
      ...first.params,
      input: packedPrompt(requests.map(promptOf)),
      max_output_tokens: limit,
      text: { format },
    },
  };
}
