import fs from "node:fs";
import path from "node:path";

const OURS = /(?<=(?:from |import\()")(?<address>@\/[^"]+|\.{1,2}\/[^"]+)(?=")/gu;

export const resolveAliases = (folder: string): void => {
  for (const name of fs.globSync("**/*.d.ts", { cwd: folder })) {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, "utf8").replaceAll(OURS, (address: string) => {
      const target = address.startsWith("@/") ? path.join(folder, address.slice(2)) : path.resolve(path.dirname(file), address);
      const relative = path.relative(path.dirname(file), target).replaceAll(path.sep, "/");

      return `${relative.startsWith(".") ? relative : `./${relative}`}.js`;
    });

    fs.writeFileSync(file, text);
  }
};
