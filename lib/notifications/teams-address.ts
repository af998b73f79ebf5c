const HOSTS = [
  ".logic.azure.com",
  ".logic.azure.us",
  ".logic.azure.cn",
  ".api.powerplatform.com",
  ".api.powerplatform.us",
  ".api.powerplatform.cn",
  ".webhook.office.com",
];

/** @param others origins that the operator opened */
export const isTeamsAddress = (text: string, others: readonly string[]): boolean => {
  const url = URL.parse(text);
  if (!url || url.username !== "" || url.password !== "") return false;
  const isMicrosoft = url.protocol === "https:" && url.port === "" && HOSTS.some((host) => url.hostname.endsWith(host));

  return isMicrosoft || others.includes(url.origin);
};
