export { holdsSecret, maskSecrets } from "./find-secrets.js";
