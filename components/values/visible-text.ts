export { toVisibleText } from "@/lib/visible-name";
