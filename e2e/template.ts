import { makeTemplate, removeTemplate } from "./installation.ts";

const setUp = async (): Promise<typeof removeTemplate> => {
  await makeTemplate();

  return removeTemplate;
};

export default setUp;
