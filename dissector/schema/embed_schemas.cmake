# Puts the schema files into one C++ source, as raw string literals. Run by the build:
#   cmake -DOUTPUT=... -DSCHEMAS=a.schema,b.schema -P embed_schemas.cmake
string(REPLACE "," ";" SCHEMAS "${SCHEMAS}")
set(content "// Made by embed_schemas.cmake from dissector/protocol/*.schema.\n")
string(APPEND content "#include \"dissector/schema/builtin_schemas.h\"\n\nnamespace brokerscope {\n\n")
string(APPEND content "std::span<const SchemaText> builtinSchemas() {\n    static constexpr SchemaText texts[] = {\n")
foreach(schema IN LISTS SCHEMAS)
    get_filename_component(name "${schema}" NAME)
    # file(READ) would take brackets and semicolons for list syntax; hexadecimal keeps the bytes as they are.
    file(READ "${schema}" text HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" text "${text}")
    # One literal a line, so that no literal is longer than compilers must take.
    string(REPLACE "\\x0a" "\\n\"\n        \"" text "${text}")
    string(APPEND content "        {\"${name}\",\n        \"${text}\"},\n")
endforeach()
string(APPEND content "    };\n    return texts;\n}\n\n} // namespace brokerscope\n")
file(WRITE "${OUTPUT}" "${content}")
