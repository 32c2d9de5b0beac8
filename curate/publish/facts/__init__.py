"""What the card and the Croissant file say: a module a subject, each giving numbers by name with the file they come
from. A number is null where it is not known, and the card then says so."""
