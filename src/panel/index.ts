import style from "./page/panel.css?raw";

export const x = style;
