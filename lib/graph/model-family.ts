/** Returns a family (`claude`), which shares mistakes. Scripted models differ by author, before the colon. */
export const getFamily = (model: string): string => {
  const at = model.indexOf(":");
  const provider = model.slice(0, Math.max(0, at));
  if (provider.startsWith("scripted")) return provider;

  return /^[a-z]+/i.exec(model.slice(at + 1))?.[0].toLowerCase() ?? model;
};
