const HERE = "http://here.invalid";
const PATH = /^\/[A-Za-z0-9_\-./]*$/;

/** Returns a plain path of this site, else `/`. */
export const ownPath = (text: string | null): string => {
  if (text === null || text.length > 500 || !PATH.test(text)) return "/";
  // Browsers read two slashes as another host.
  const url = URL.parse(text, HERE);

  return url && url.origin === HERE && !url.pathname.startsWith("//") ? url.pathname : "/";
};
