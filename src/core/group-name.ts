/**
 * An LLM group, `llm:provider/type/model?extras`, for a person: what its requests do and by which model, then what is
 * unusual. The provider goes without saying, for the model tells it.
 */
export function requestGroupName(group: string): string {
  const [path = "", extras] = group.replace(/^llm:/, "").split("?");
  const [, type, model] = path.split("/").map(decoded);
  if (type === undefined || model === undefined) return path;
  return [type, model, ...new URLSearchParams(extras).values()].join(" · ");
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
