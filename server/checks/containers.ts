import { createCheck, type Check } from "@/lib/checks";
import { askBroker } from "@/server/mcp/containers/ask";
import { readPrograms } from "@/server/mcp/programs/list";
import { hasBroker } from "@/server/mcp/containers/socket";

export const checkContainers = async (home: string): Promise<readonly Check[]> => {
  const images = readPrograms(home).filter(({ runs }) => runs.kind === "image");
  if (images.length === 0) return [createCheck("containers_none")];
  if (!(await hasBroker(home))) return [createCheck("containers_silent")];
  const present = await Promise.all(images.map((program) => askBroker(home, program)));
  const gone = images.filter((_program, index) => !present[index]);

  return gone.length === 0
    ? [createCheck("containers_ok", { count: images.length })]
    : gone.map(({ id }) => createCheck("container_gone", { program: id }));
};
