const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === "http:" && LOOPBACK.includes(hostname);

/** A private-use scheme is a reversed domain name with one slash (RFC 8252, 7.1 and 8.4). */
const APPLICATION = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/(?!\/)/;

export const isRedirectUri = (text: string): boolean => {
  const url = text.length > 300 ? null : URL.parse(text);
  if (!url || (url.href !== text && url.href !== `${text}/`)) return false;
  if (APPLICATION.test(text)) return url.host === "" && !text.includes("#");

  return (url.protocol === "https:" || isLoopback(url)) && url.username === "" && url.password === "" && !text.includes("#");
};

export const getRedirectPlace = (text: string): string => {
  const { host, protocol } = new URL(text);

  return host === "" ? protocol.slice(0, -1) : host;
};

const withoutPort = (text: string): string => {
  const url = new URL(text);
  url.port = "";

  return url.href;
};

/** Exact, except for the port on loopback (RFC 8252, 7.3). */
export const matchesRedirectUri = (registered: string, asked: string): boolean => {
  if (registered === asked) return true;
  const urls = [registered, asked].map((text) => (isRedirectUri(text) ? URL.parse(text) : null));

  return urls.every((url) => url !== null && isLoopback(url)) && withoutPort(registered) === withoutPort(asked);
};
