/** @param path may end with a fragment */
export const linkInto = (workspaceId: string, path: string): string => {
  const [page = "", fragment] = path.split("#");

  return `${page}${page.includes("?") ? "&" : "?"}workspace=${workspaceId}${fragment === undefined ? "" : `#${fragment}`}`;
};
