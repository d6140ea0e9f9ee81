/**
 * An LLM group, `llm:provider/type/model?extras`, for a person: what its requests do and by which model, then what is
 * unusual. The provider goes without saying, for the model tells it.
 */
export const requestGroupName = (group: string): string => requestGroupParts(group).join(" · ");

/** The same in its parts, the one that says most first. */
export function requestGroupParts(group: string): readonly [string, ...string[]] {
  const [path = "", extras] = group.replace(/^llm:/, "").split("?");
  const [, type, model] = path.split("/").map(decoded);
  if (type === undefined || model === undefined) return [path];
  return [type, model, ...new URLSearchParams(extras).values()];
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
