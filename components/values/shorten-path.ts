const UUID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

export const shortenPath = (path: string): string => path.replaceAll(UUID, "$1");
