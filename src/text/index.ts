export { cutMiddle, cutToBytes, cutToCodePoints, withoutLastGrapheme } from "./cut.js";
export { codePointLength, utf8Length } from "./length.js";
export { oneLine } from "./one-line.js";
export { withoutLoneSurrogates } from "./surrogates.js";
