install(TARGETS bloomery_static bloomery_shared FILE_SET HEADERS)
