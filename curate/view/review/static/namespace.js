"use strict";

/* One name for all scripts of the page: each file adds its part to it. Classic scripts in the order of index.html, so
   that the page works from a double click (file://), where modules may not be loaded. */
window.review = {};
