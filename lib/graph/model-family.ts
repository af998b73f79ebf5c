/**
 * `claude` of `anthropic:claude-sonnet-5`: models of one family tend to share their mistakes. Scripted models are told apart
 * by who wrote them, which is what stands before the colon.
 */
export const getFamily = (model: string): string => {
  const at = model.indexOf(":");
  const provider = model.slice(0, Math.max(0, at));
  if (provider.startsWith("scripted")) return provider;

  return /^[a-z]+/i.exec(model.slice(at + 1))?.[0].toLowerCase() ?? model;
};
