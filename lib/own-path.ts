/** Where somebody is led after signing in: a page of ours, whatever an address says. */

const HERE = "http://here.invalid";
const PATH = /^\/[A-Za-z0-9_\-./]*$/;

/** The path, or `/` for whatever is no plain path of this site. */
export const ownPath = (text: string | null): string => {
  if (text === null || text.length > 500 || !PATH.test(text)) return "/";
  // Browsers read two slashes as another host, and take dots away first.
  const url = URL.parse(text, HERE);

  return url && url.origin === HERE && !url.pathname.startsWith("//") ? url.pathname : "/";
};
